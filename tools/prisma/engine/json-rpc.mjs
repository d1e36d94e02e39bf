import process from 'node:process';
import { createInterface } from 'node:readline';

/** Answers Prisma's requests, one JSON object per line, until the input ends and all are answered. */
export async function serve(engine, databases) {
  const pending = new Set();
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    // Skips answers to this program's own notifications, which have no method.
    if (!method) continue;
    const answered = answer(id, call(engine, databases, method, params)).finally(() =>
      pending.delete(answered),
    );
    pending.add(answered);
  }
  await Promise.all(pending);
  process.exit(0);
}

async function call(engine, databases, method, params) {
  if (method === 'createDatabase') return databases.create();
  const schemaEngine = await engine();
  // Calls the method by the name that it has in the WebAssembly build.
  if (method === 'getDatabaseVersion') return schemaEngine.version(params);
  const result = await schemaEngine[method](params ?? {});
  // The native engine prints a diff through a separate request; the WebAssembly build returns it.
  if (method === 'diff' && result?.stdout) {
    write({ id: 'print', method: 'print', params: { content: result.stdout } });
  }
  return result ?? null;
}

async function answer(id, result) {
  try {
    write({ id, result: await result });
  } catch (error) {
    const data = {
      is_panic: false,
      message: String(error?.message ?? error),
      error_code: error?.code ?? null,
      meta: error?.meta ?? null,
    };
    write({ id, error: { code: 4466, message: 'see data', data } });
  }
}

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
