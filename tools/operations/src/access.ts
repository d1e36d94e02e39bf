import { inRepository } from '@stoa/system';
import { type Access, apiAccess } from '@stoa/testing/access-matrix';
import { readFileSync } from 'node:fs';
import { code, page, table } from './reference-page.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
}

const audience: Readonly<Record<Access['who'], string>> = {
  public: 'everyone',
  creator: 'a signed-in creator, own data only',
  key: 'the owner, or a caller with the delivery key',
  operator: 'an operator (realm role `operator`)',
};

/**
 * docs/reference/access.md: the operations of the API and who may use them, from the gateway's OpenAPI
 * document and the matrix of the access tests.
 *
 * @throws Error for an operation that the matrix lacks.
 */
export function accessPage(): string {
  const { paths } = JSON.parse(readFileSync(inRepository('apps/gateway/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary }]) => {
      const route = `${method.toUpperCase()} ${path}`;
      const access = apiAccess[route];
      if (!access) throw new Error(`libs/testing/src/access-matrix.ts does not name ${route}.`);
      const other = access.stranger ? ` (${access.stranger} for the data of others)` : '';
      return [code(operationId), code(route), `${audience[access.who]}${other}`, summary];
    }),
  );
  return page(
    'Access to the API',
    'Every route is closed unless it declares otherwise. The tests in `apps/gateway/test/access-matrix.spec.ts` and `apps/e2e/api/access-matrix.spec.ts` enforce this table.',
    table(['operation', 'route', 'allowed for', 'does'], rows),
  );
}
