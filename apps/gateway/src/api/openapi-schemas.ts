import type { SwaggerDocumentOptions } from '@nestjs/swagger';
import { z } from 'zod';

type Converter = NonNullable<SwaggerDocumentOptions['standardSchemaConverter']>;
type JsonSchema = Record<string, unknown>;

/** Converts zod schemas to JSON Schema 2020-12, which OpenAPI 3.1 uses. Schemas with an id are added to `named`. */
export function schemaConverter(named: JsonSchema): Converter {
  return (schema, { schemaType }) => {
    const { $defs, $schema: _dialect, ...whole } = z.toJSONSchema(schema as z.ZodType, { io: schemaType });
    const text = JSON.stringify({ whole, $defs }).replaceAll('#/$defs/', '#/components/schemas/');
    const converted = JSON.parse(text, (_key, value: unknown) => simplified(value)) as {
      whole: JsonSchema;
      $defs?: JsonSchema;
    };
    Object.assign(named, converted.$defs);
    return { schema: converted.whole };
  };
}

/** Simplifies a schema "type or null" from `anyOf` to a list of two types. */
function simplified(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('anyOf' in value)) return value;
  const { anyOf, ...rest } = value;
  const [one, none, ...more] = anyOf as JsonSchema[];
  if (!one || none?.['type'] !== 'null' || more.length > 0 || typeof one['type'] !== 'string') return value;
  return { ...one, ...rest, type: [one['type'], 'null'] };
}
