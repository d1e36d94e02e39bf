/** Saves a file that was made in the page. */
export function saveFile(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  // The browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
