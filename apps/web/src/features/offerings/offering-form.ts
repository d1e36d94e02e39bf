import { NewOfferingForm, Offering, OfferingForm, type Picture } from '@stoa/contracts';
import { defaultOfferingState, defaultOfferingType, isPublicState } from '@stoa/contracts/choices';
import type { z } from 'zod';
import { type ChosenFile, choiceOf, openedFile, sameFiles } from './files/chosen-files.ts';
import type { FieldErrors } from '../../forms/use-form.ts';
import { validateWith } from '../../forms/validate-with.ts';
import {
  emptyWorkshop,
  sameWorkshop,
  workshopFieldsOf,
  type WorkshopValues,
  workshopValuesOf,
} from './workshop-form.ts';

/** Fields that the editor holds in another form than the contract. */
const converted = ['files', 'schedule', 'seats'] as const;
/** All others, which it holds as they are stored. */
type Plain = Exclude<keyof OfferingForm & keyof Offering, (typeof converted)[number]>;
type PlainValues = { [Field in Plain]: NonNullable<OfferingForm[Field]> };

const stored: Record<string, z.ZodType> = Offering.shape;
const sent: Record<Plain, z.ZodType> = OfferingForm.shape;
const plain = Object.keys(sent).filter(
  (field): field is Plain => field in stored && !(converted as readonly string[]).includes(field),
);

/** A new offering has the defaults of the contract, and empty texts. */
const emptyValues = {
  ...Object.fromEntries(plain.map((field) => [field, stored[field]?.safeParse(undefined).data ?? ''])),
  type: defaultOfferingType,
  state: defaultOfferingState,
} as PlainValues;

/** What stands in the fields of the editor. */
export interface OfferingValues extends PlainValues {
  /** The version of the offering that was opened, kept with what is typed; 0 for a new one. */
  version: number;
  /** Chosen once per opened form, so that a retry after a lost answer creates no second offering. */
  id: string;
  /** The picture on show; it has an id here only when it was chosen in this editor. */
  coverImage: Picture | null;
  coverImageId: string;
  files: ChosenFile[];
  /** Whether the files differ from the opened ones. Otherwise none are sent. */
  filesChanged: boolean;
  /** Kept while another type is chosen, and sent for a workshop alone. */
  workshop: WorkshopValues;
}

export function emptyOffering(): OfferingValues {
  return {
    ...emptyValues,
    version: 0,
    id: crypto.randomUUID(),
    coverImage: null,
    coverImageId: '',
    files: [],
    filesChanged: false,
    workshop: emptyWorkshop(),
  };
}

export function valuesOf(offering: Offering): OfferingValues {
  const { version, id, coverImage, files } = offering;
  // A choice that is off stays off; an empty text gets the default.
  const fields = plain.map((field) => [
    field,
    offering[field] === false ? false : offering[field] || emptyValues[field],
  ]);
  return {
    ...(Object.fromEntries(fields) as PlainValues),
    version,
    id,
    coverImage,
    coverImageId: '',
    files: files.map(openedFile),
    filesChanged: false,
    workshop: workshopValuesOf(offering),
  };
}

/** An empty text is sent as null where the contract has null for none. */
const nullable = plain.filter((field) => sent[field].safeParse(null).success);

function fieldsOf(values: OfferingValues) {
  const { type, files, filesChanged, workshop } = values;
  const fields = plain.map((field) => {
    const value = values[field];
    return [field, typeof value === 'string' && nullable.includes(field) ? value.trim() || null : value];
  });
  return {
    ...Object.fromEntries(fields),
    files: filesChanged ? files.map(choiceOf) : undefined,
    ...workshopFieldsOf(type, workshop),
  };
}

/** Throws if the values are not valid. `checkNew` returns the errors. */
export function newFormOf(values: OfferingValues): NewOfferingForm {
  const { id, coverImageId } = values;
  return NewOfferingForm.parse({ ...fieldsOf(values), id, coverImageId });
}

/** Whether the offering equals the form. One from an earlier attempt may be older than the last edit. */
export function matchesForm(
  offering: Offering,
  { coverImageId, files = [], ...form }: NewOfferingForm,
): boolean {
  const same = (field: Plain) => JSON.stringify(offering[field]) === JSON.stringify(form[field]);
  return (
    plain.every(same) &&
    sameWorkshop(offering, form) &&
    offering.coverImage?.id === coverImageId &&
    sameFiles(offering.files, files)
  );
}

/** Whether the stored offering equals these values. */
export function isSavedIn(offering: Offering, values: OfferingValues): boolean {
  const whole = (of: OfferingValues) => {
    const files = of.files.map(({ id, note }) => ({ id, note: note.trim() }));
    const form = { ...fieldsOf(of), coverImageId: of.coverImage?.id, files };
    // A stored offering may have a link that a newer rule refuses.
    const { data } = OfferingForm.safeParse(form);
    return JSON.stringify(data ?? form);
  };
  return whole(valuesOf(offering)) === whole(values);
}

export function changesOf(values: OfferingValues): OfferingForm {
  return OfferingForm.parse({ ...fieldsOf(values), coverImageId: values.coverImageId || undefined });
}

export function checkNew(values: OfferingValues): FieldErrors {
  return validateWith(NewOfferingForm, { ...fieldsOf(values), coverImageId: values.coverImageId });
}

export function checkChanges(values: OfferingValues, opened: OfferingValues): FieldErrors {
  const errors = validateWith(OfferingForm, fieldsOf(values));
  // A duplicate has no cover yet.
  const coverIsMissing = !values.coverImage && isPublicState(values.state) && !isPublicState(opened.state);
  return coverIsMissing ? { ...errors, coverImageId: 'Please select a cover image.' } : errors;
}
