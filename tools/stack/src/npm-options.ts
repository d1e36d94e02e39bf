import { run } from '@stoa/system/processes/run';

/** Variables that npm passes to every script. */
const always =
  /^npm_config_(cache|global_prefix|globalconfig|init_module|local_prefix|node_gyp|noproxy|npm_version|prefix|user_agent|userconfig)$/;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Options of a command that npm has consumed because no `--` precedes them; npm then passes them to the
 * script only as variables. A command that runs another one may have lost any option that is not npm's own,
 * and `-c`, which `npm exec` uses.
 */
export function keptOptions(
  form: string,
  args: readonly string[],
  environment: Environment,
  known: ReadonlySet<string>,
): string[] {
  const named = new Set(Array.from(form.matchAll(/--(?:no-)?([a-z-]+)/g), ([, name]) => name));
  const lost = (name: string) => runsCommand(form) && (name === 'call' || !known.has(name));
  return candidates(environment).filter(
    (name) => !args.includes(`--${name}`) && (named.has(name) || lost(name)),
  );
}

const runsCommand = (form: string): boolean => form.includes('<command');

const candidates = (environment: Environment): string[] =>
  Object.keys(environment)
    .filter((name) => name.startsWith('npm_config_') && !always.test(name))
    .map((name) => name.replace('npm_config_', '').replaceAll('_', '-'));

/**
 * The options that npm has consumed in this process. Asks npm for its own options only if a command runs
 * another one.
 */
export async function optionsKeptByNpm(form: string, args: readonly string[]): Promise<string[]> {
  const npm = process.env.npm_execpath;
  if (!npm || candidates(process.env).length === 0) return [];
  if (!runsCommand(form)) return keptOptions(form, args, process.env, new Set());
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('npm_config_')),
  );
  const list = await run(process.execPath, [npm, 'config', 'list', '--long', '--json'], { env });
  return keptOptions(form, args, process.env, new Set(Object.keys(JSON.parse(list) as object)));
}
