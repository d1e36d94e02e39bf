const units = ['KB', 'MB', 'GB'];

/** Formats a size in binary units, as the product's limits do. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 9.95 ? value.toFixed(1) : value.toFixed(0)} ${units[unit]}`;
}
