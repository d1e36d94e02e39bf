import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const description = `A commission-free creator storefront.

Every error is problem details (RFC 9457): \`code\` is for programs, \`detail\` for people, \`errors\` names the fields of bad
input. A method that an address does not take is answered 405 with \`Allow\`. Text may hold what can be seen, in every
language; controls, invisible characters and broken ones are refused with 400.`;

/** The API's description, made from the routes and the contracts. */
export function describeApi(app: NestFastifyApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Stoa')
    .setDescription(description)
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' })
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (controller, method) =>
      `${controller.replace('Controller', '').toLowerCase()}.${method}`,
  });
  for (const path of Object.values(document.paths))
    for (const operation of Object.values(path as Record<string, Operation>)) describeProblems(operation);
  return document;
}

const problemContent = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
};
/** What any request may be answered: too slow, too large in its headers, too many, our trouble. */
const always = [408, 429, 431, 500];

/** Says of an operation every problem that it can be answered with, and in which form. */
function describeProblems(operation: Operation): void {
  const named = Object.keys(operation.responses)
    .map(Number)
    .filter((status) => status >= 400);
  const withPath = operation.parameters?.some((parameter) => 'in' in parameter && parameter.in === 'path');
  const statuses = [
    ...named,
    ...always,
    ...(withPath ? [404, 414] : []),
    ...(operation.requestBody ? [413, 415] : []),
  ];
  for (const status of statuses.toSorted((a, b) => a - b)) {
    operation.responses[status] = {
      description: STATUS_CODES[status] ?? 'Problem',
      ...(status === 429 && {
        headers: { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } },
      }),
      content: problemContent,
    };
  }
}

/** Serves the description at /api/openapi.json and a browsable page at /api/docs. */
export function serveDocs(app: NestFastifyApplication): void {
  SwaggerModule.setup('api/docs', app, () => describeApi(app), {
    jsonDocumentUrl: 'api/openapi.json',
    raw: ['json'],
  });
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', async ({ url }, reply) => {
      const type = String(reply.getHeader('content-type') ?? '');
      if (url.startsWith('/api/docs') && /^(text\/html|application\/javascript)$/.test(type))
        void reply.header('content-type', `${type}; charset=utf-8`);
    });
}
