double _Complex z;
