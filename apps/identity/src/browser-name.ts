import Bowser from 'bowser';

const browsers = new Set(Object.values(Bowser.BROWSER_MAP));
const systems = new Set(Object.values(Bowser.OS_MAP));

/**
 * What people call the browser and the system of a User-Agent, as in “Chrome on Windows”. Nothing of the User-Agent itself is
 * in it: where the library knows no such browser, it would quote what stands there.
 */
export function browserNameOf(userAgent: string | undefined): string | undefined {
  if (!userAgent?.trim()) return undefined;
  const { browser, os } = Bowser.parse(userAgent);
  if (!browser.name || !browsers.has(browser.name)) return undefined;
  return os.name && systems.has(os.name) ? `${browser.name} on ${os.name}` : browser.name;
}
