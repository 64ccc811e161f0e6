// entry: choose
// No function is made up for a pointer to one: what needs one is not called impossible.
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
