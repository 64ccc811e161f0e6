// entry: grade
// criterion: branch
// The last test cannot succeed: two earlier ones exclude it.
int grade(int points)
{
    if (points < 0 || 100 < points)
        return -1;
    if (points >= 90)
        return 1;
    if (points >= 50)
        return 2;
    if (points > 95)
        return 3;
    return 4;
}
