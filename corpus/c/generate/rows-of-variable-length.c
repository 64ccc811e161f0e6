// entry: f
// Arrays whose rows have a variable length, as parameters, in three dimensions, by pointers to rows and by a name for their type.
static int sum(int rows, int columns, int cells[rows][columns])
{
    int total = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            total += cells[i][j];
    return total;
}

static int corner(int n, int (*cells)[n][n + 1]) { return cells[1][n - 1][n]; }

int f(int n, int x)
{
    if (n < 2 || n > 3)
        return 0;
    int square[n][n];
    for (int i = 0; i < n * n; i++)
        square[i / n][i % n] = i;
    square[1][0] = x;
    if (sum(n, n, square) == 100)
        return 1;
    int box[n][n][n + 1];
    box[1][n - 1][n] = x;
    if (corner(n, box) == 77)
        return 2;
    typedef int row[n];
    row one, *two = &square[1] - 1 == square ? &one - 0 : 0;
    (*two)[n - 1] = x;
    if (one[n - 1] == 5 && sizeof square == 4 * n * n && sizeof(row) == sizeof one && &square[n] - square == n)
        return 3;
    int fixed[2][3] = {{1, 2, 3}, {4, 5, x}};
    if (sum(2, 3, fixed) == 25)
        return 4;
    return sizeof box[0] == 36 ? 5 : 6;
}
