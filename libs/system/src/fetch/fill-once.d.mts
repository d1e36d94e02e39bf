export function fillOnce(
  cache: string,
  key: string,
  fill: (folder: string) => Promise<void>,
  onWait?: (owner: { pid: number }) => void,
): Promise<string>;
