_BitInt(7) small;
