// entry: choose
// A pointer to functions gets functions of the program that fit, or one that only returns inputs.
static int twice(int number)
{
    return 2 * number;
}

int choose(int (*callback)(int), int number)
{
    if (callback == 0)
        return 0;
    if (callback == twice)
        return 1;
    return callback(number) > 3 ? 2 : 3;
}
