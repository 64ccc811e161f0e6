int f(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    int fresh;
    if (i == 3) continue;
    do {
      fresh = i;
      if (sum > 100) goto out;
    } while (fresh-- > 2);
    sum += fresh;
  }
out:
  while (1) { if (sum-- < 0) break; }
  return sum ? sum : -1;
}
