import { inRepository } from '@stoa/system/paths';

/** The modules whose `generated()` says which files follow from the code, and what stands in them. */
export const modules = {
  versions: 'libs/system/src/fetch/generated.ts',
  nats: 'libs/system/src/settings/generated.ts',
  operations: 'tools/operations/src/generated.ts',
  slo: 'tools/slo/src/generated.ts',
  kubernetes: 'tools/kubernetes/src/manifests.ts',
  'call-graph': 'tools/kubernetes/src/generated.ts',
} as const;

/** The generated files of a module, by their path within the repository, as they have to be. */
export async function generatedFiles(name: keyof typeof modules): Promise<Map<string, string>> {
  const { generated } = (await import(inRepository(modules[name]))) as {
    generated(): Promise<ReadonlyMap<string, string>> | ReadonlyMap<string, string>;
  };
  const files = [...(await generated())];
  return new Map(
    await Promise.all(files.map(async ([path, text]) => [path, await formatted(path, text)] as const)),
  );
}

async function formatted(path: string, text: string): Promise<string> {
  // Loaded only here: no other verb of the command line needs it.
  const { format, getFileInfo, resolveConfig } = await import('prettier');
  const filepath = inRepository(path);
  const ignorePath = inRepository('.prettierignore');
  const { inferredParser, ignored } = await getFileInfo(filepath, { ignorePath });
  return inferredParser && !ignored ? format(text, { ...(await resolveConfig(filepath)), filepath }) : text;
}
