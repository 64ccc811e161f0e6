int main(void) {
  int n = 2, m = 3;
  int a[n][m], b[2][m];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      a[i][j] = 10 * i + j;
      b[i][j] = -a[i][j];
    }
  m = 9;
  if (sizeof a != 24 || sizeof a[0] != 12 || sizeof(b) != 24) return 1;
  if (a[1] - a[0] != 3 || *(a[1] + 2) != 12 || *a[1] != 10) return 2;
  return a[1][2] + b[1][0] + a[0][1];
}
