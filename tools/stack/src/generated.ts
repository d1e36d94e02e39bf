import { inRepository } from '@stoa/system/paths';

/** The modules of generated files. `generated()` returns the content of each file. */
export const modules = {
  versions: 'libs/system/src/fetch/generated.ts',
  nats: 'libs/system/src/settings/generated.ts',
  reference: 'tools/operations/src/generated.ts',
  slo: 'tools/slo/src/generated.ts',
  kubernetes: 'tools/kubernetes/src/manifests.ts',
  'call-graph': 'tools/kubernetes/src/generated.ts',
} as const;

/** The generated files of a module, by their path in the repository, with their expected content. */
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
  // Loaded here, because only this command needs it.
  const { format, getFileInfo, resolveConfig } = await import('prettier');
  const filepath = inRepository(path);
  const ignorePath = inRepository('.prettierignore');
  const { inferredParser, ignored } = await getFileInfo(filepath, { ignorePath });
  return inferredParser && !ignored ? format(text, { ...(await resolveConfig(filepath)), filepath }) : text;
}
