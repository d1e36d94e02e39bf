import Bowser from 'bowser';

const browsers = new Set(Object.values(Bowser.BROWSER_MAP));
const systems = new Set(Object.values(Bowser.OS_MAP));

/**
 * The common names of browser and system, as in “Chrome on Windows”. The result contains no text of the
 * User-Agent: for an unknown browser the library would return such text.
 */
export function browserNameOf(userAgent: string | undefined): string | undefined {
  if (!userAgent?.trim()) return undefined;
  const { browser, os } = Bowser.parse(userAgent);
  if (!browser.name || !browsers.has(browser.name)) return undefined;
  return os.name && systems.has(os.name) ? `${browser.name} on ${os.name}` : browser.name;
}
