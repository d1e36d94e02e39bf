/**
 * Whether the path of a request target means the same to everybody who reads it: no escapes, no empty or dot
 * segments, no backslashes. Neither Keycloak's addresses nor our objects' keys need any of them.
 */
export function isPlainPath(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  return path !== '' && /^(\/[A-Za-z0-9._~-]+)*\/?$/.test(path) && !/\/\.{1,2}(\/|$)/.test(path);
}
