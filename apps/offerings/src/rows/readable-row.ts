import { DeliveredFile, isPublicOffering, OfferingState, Picture } from '@stoa/contracts';
import { z } from 'zod';

// One unreadable row must not fail the whole list of its creator.
const KnownState = OfferingState.catch('hidden');
const NullablePicture = Picture.nullable().catch(null);

type Defaulted<C extends z.ZodObject> = {
  [F in keyof C['shape']]: C['shape'][F] extends z.ZodDefault ? F : never;
}[keyof C['shape']];

/** Parses the fields that have a default in the contract. A value that the contract refuses becomes the default. */
export function readerOf<C extends z.ZodObject>(contract: C) {
  const schemas = Object.entries(contract.shape).flatMap(([field, schema]) =>
    schema instanceof z.ZodDefault ? [[field, schema.catch(schema.parse(undefined))] as const] : [],
  );
  return <Row extends Record<Defaulted<C>, unknown>>(row: Row) => {
    const fields = schemas.map(([field, schema]) => [field, schema.parse(row[field as Defaulted<C>])]);
    const read = Object.fromEntries(fields) as Pick<z.infer<C>, Defaulted<C>>;
    return { ...row, ...read } as Omit<Row, Defaulted<C>> & typeof read;
  };
}

/** A known state; an unknown one is not public. */
export const readableState = (state: unknown): OfferingState => KnownState.parse(state);

export const isPublicRow = ({ state, takenDown }: { state: string; takenDown: boolean }): boolean =>
  isPublicOffering({ state: readableState(state), takenDown });

/** The stored picture; null if it cannot be read. */
export const readablePicture = (picture: unknown): Picture | null => NullablePicture.parse(picture);

/** The stored file; an empty list if it cannot be read. */
export function readableDeliveredFile(file: unknown): DeliveredFile[] {
  const { data } = DeliveredFile.safeParse(file);
  return data ? [data] : [];
}
