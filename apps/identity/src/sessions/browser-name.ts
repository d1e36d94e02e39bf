import Bowser from 'bowser';

const browsers = new Set(Object.values(Bowser.BROWSER_MAP));
const systems = new Set(Object.values(Bowser.OS_MAP));

/**
 * For example “Chrome on Windows”. For an unknown browser the library returns text of the User-Agent, which
 * must not be stored.
 */
export function browserNameOf(userAgent: string | undefined): string | undefined {
  if (!userAgent?.trim()) return undefined;
  const { browser, os } = Bowser.parse(userAgent);
  if (!browser.name || !browsers.has(browser.name)) return undefined;
  return os.name && systems.has(os.name) ? `${browser.name} on ${os.name}` : browser.name;
}
