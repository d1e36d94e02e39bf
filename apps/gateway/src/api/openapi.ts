import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';
import { areaOf } from '../http/area.ts';
import { idempotencyKeyParameter } from '../http/idempotency-key.ts';
import { schemaConverter } from './openapi-schemas.ts';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Headers = Extract<Operation['responses'][string], { description: string }>['headers'];

const description = `A commission-free creator storefront.

Every error is a problem details object (RFC 9457): \`code\` is for programs, \`detail\` for people, and \`errors\` names invalid
fields. An unsupported method gets 405 with \`Allow\`. Text may contain visible characters of every language. Invisible characters
are removed before limits apply. NUL and unpaired surrogates are refused with 400.`;

function describeApi(app: NestFastifyApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Stoa')
    .setDescription(description)
    .setVersion('1')
    .setOpenAPIVersion('3.1.1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/', 'The server of this document.')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token of the OpenID Connect provider that `GET /api/config` names.',
    })
    .build();
  const schemas = {};
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (controller, method) =>
      `${controller.replace('Controller', '').toLowerCase()}.${method}`,
    standardSchemaConverter: schemaConverter(schemas),
  });
  document.components = { ...document.components, schemas };
  for (const path of Object.values(document.paths))
    for (const [method, operation] of Object.entries(path as Record<string, Operation>)) {
      if (method !== 'get')
        operation.parameters = [...(operation.parameters ?? []), { ...idempotencyKeyParameter }];
      describeOperation(operation);
    }
  return document;
}

const problemContent = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
};
/** HTTP statuses that any request may get: wrong method, too slow, too many requests, headers too large, server error. */
const always = [405, 408, 429, 431, 500];
const headers: Record<number, Headers> = {
  401: { 'WWW-Authenticate': { description: 'Bearer.', schema: { type: 'string' } } },
  405: { Allow: { description: 'The supported methods.', schema: { type: 'string' } } },
  429: { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } },
};

/** Adds the descriptions of parameters to an operation, and all its problems with content type and headers. */
function describeOperation(operation: Operation): void {
  for (const parameter of operation.parameters ?? [])
    if ('schema' in parameter && parameter.schema && 'description' in parameter.schema)
      parameter.description = parameter.schema.description;
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
      ...(headers[status] && { headers: headers[status] }),
      content: problemContent,
    };
  }
}

/** Serves the OpenAPI document at /api/openapi.json and Swagger UI at /api/docs. */
export function serveDocs(app: NestFastifyApplication): void {
  SwaggerModule.setup('api/docs', app, () => describeApi(app), {
    jsonDocumentUrl: 'api/openapi.json',
    raw: ['json'],
  });
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', async (request, reply) => {
      const type = String(reply.getHeader('content-type') ?? '');
      if (areaOf(request) === 'docs' && /^(text\/html|application\/javascript)$/.test(type))
        void reply.header('content-type', `${type}; charset=utf-8`);
    });
}
