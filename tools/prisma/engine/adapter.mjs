import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils';

// The catalogue's type "char", and the one-character text type that the adapter supports.
const catalogueChar = 18;
const name = 19;

/** Prisma's adapter for pg, with workarounds for its faults in combination with the schema engine. */
export async function createAdapterFactory(databases) {
  const factory = new PrismaPg(databases.config, { schema: databases.schema });
  const adapter = await factory.connect();
  mendScripts(Object.getPrototypeOf(adapter));
  mendCatalogueTypes(Object.getPrototypeOf(Object.getPrototypeOf(adapter)));
  await adapter.dispose();

  // The adapter drops the shadow database while its own pool still has connections to it.
  factory.connectToShadowDb = async () => {
    const shadow = await databases.createShadow();
    const connected = await new PrismaPg(shadow.config).connect();
    const dispose = connected.dispose.bind(connected);
    connected.dispose = async () => {
      await dispose();
      await shadow.remove();
    };
    return connected;
  };
  return factory;
}

/**
 * The adapter splits a script at every semicolon, even inside `$$` bodies and comments. Postgres accepts the
 * whole script.
 */
function mendScripts(prototype) {
  prototype.executeScript = async function (script) {
    try {
      await this.client.query(script);
    } catch (error) {
      this.onError(error);
    }
  };
}

/**
 * Prisma's adapter does not support "char", a type of Postgres' system catalogue. This reads such columns as text
 * and reports them as characters, as the schema engine expects.
 */
function mendCatalogueTypes(prototype) {
  const { queryRaw } = prototype;
  prototype.queryRaw = async function (query) {
    const columns = [];
    const performIO = async (io) => {
      const result = await this.performIO(io);
      for (const [index, field] of result.fields.entries()) {
        if (field.dataTypeID !== catalogueChar) continue;
        columns.push(index);
        field.dataTypeID = name;
      }
      return result;
    };
    const answer = await queryRaw.call(Object.create(this, { performIO: { value: performIO } }), query);
    for (const index of columns) answer.columnTypes[index] = ColumnTypeEnum.Character;
    return answer;
  };
}
