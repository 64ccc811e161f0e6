char *s = "abc;
