import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { readFileSync } from 'node:fs';
import { fileURLToPath, URL } from 'node:url';
import { createAdapterFactory } from './adapter.mjs';

const panic = {
  message: '',
  get: () => panic.message,
  set_message(message) {
    panic.message = message;
  },
};

/** The engine's message before a panic, or ''. */
export const panicMessage = () => panic.message;

/** Loads the engine at the first request, because some commands never send one. */
export async function loadEngine(databases, datamodelFiles) {
  globalThis.PRISMA_WASM_PANIC_REGISTRY = panic;
  const module = import.meta.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = readFileSync(fileURLToPath(new URL('./schema_engine_bg.wasm', module)));
  const { instance } = await globalThis.WebAssembly.instantiate(bytes, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();

  const datamodels = datamodelFiles?.map((path) => [path, readFileSync(path, 'utf8')]);
  let engine;
  return () => {
    engine ??= createAdapterFactory(databases).then((factory) =>
      bindings.SchemaEngine.new(
        { datamodels },
        () => undefined,
        bindMigrationAwareSqlAdapterFactory(factory),
      ),
    );
    return engine;
  };
}
