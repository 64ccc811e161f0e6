/* How fast the door may move. */
int limit(int position, int obstacle) {
  if (obstacle || position < 0)
    return 0;
  if (position > 90)
    return 5;
  return 40;
}
