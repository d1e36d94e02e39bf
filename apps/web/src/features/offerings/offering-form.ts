import {
  filesOf,
  NewOfferingForm,
  type Offering,
  OfferingForm,
  type OfferingState,
  type OfferingType,
  type Picture,
} from '@stoa/contracts';
import { defaultOfferingState, defaultOfferingType, isPublicState } from '@stoa/contracts/choices';
import { type ChosenFile, choiceOf, openedFile, sameFiles } from './chosen-files.ts';
import type { FieldErrors } from '../../forms/use-form.ts';
import { validateWith } from '../../forms/validate-with.ts';
import {
  emptyWorkshop,
  sameWorkshop,
  workshopFieldsOf,
  type WorkshopValues,
  workshopValuesOf,
} from './workshop-form.ts';

/** What stands in the fields of the editor. */
export interface OfferingValues {
  /** The version of the offering that was opened, kept with what is typed; 0 for a new one. */
  version: number;
  /** Chosen once for each form that is opened, so that a try whose answer was lost can be repeated. */
  id: string;
  title: string;
  description: string;
  price: string;
  type: OfferingType;
  state: OfferingState;
  paymentUrl: string;
  productUrl: string;
  /** The picture on show; it has an id here only when it was chosen in this editor. */
  coverImage: Picture | null;
  coverImageId: string;
  files: ChosenFile[];
  /** Whether the files are others than those that were opened: otherwise none is sent. */
  filesChanged: boolean;
  deliveryText: string;
  deliveryUrl: string;
  /** Kept while another type is chosen, and sent for a workshop alone. */
  workshop: WorkshopValues;
}

export function emptyOffering(): OfferingValues {
  return {
    version: 0,
    id: crypto.randomUUID(),
    title: '',
    description: '',
    price: '',
    type: defaultOfferingType,
    state: defaultOfferingState,
    paymentUrl: '',
    productUrl: '',
    coverImage: null,
    coverImageId: '',
    files: [],
    filesChanged: false,
    deliveryText: '',
    deliveryUrl: '',
    workshop: emptyWorkshop(),
  };
}

export function valuesOf(offering: Offering): OfferingValues {
  const { id, title, description, price, type, state, paymentUrl, productUrl, coverImage, version } =
    offering;
  const { deliveryText, deliveryUrl } = offering;
  return {
    version,
    id,
    title,
    description,
    price,
    type: type || defaultOfferingType,
    state,
    paymentUrl,
    productUrl: productUrl ?? '',
    coverImage,
    coverImageId: '',
    files: filesOf(offering).map(openedFile),
    filesChanged: false,
    deliveryText,
    deliveryUrl: deliveryUrl ?? '',
    workshop: workshopValuesOf(offering),
  };
}

function fieldsOf(values: OfferingValues) {
  const { title, description, price, type, state, paymentUrl, productUrl } = values;
  const { files, filesChanged, deliveryText, deliveryUrl } = values;
  return {
    title,
    description,
    price,
    type,
    state,
    paymentUrl,
    productUrl: productUrl.trim() || null,
    files: filesChanged ? files.map(choiceOf) : undefined,
    deliveryText,
    deliveryUrl: deliveryUrl.trim() || null,
    ...workshopFieldsOf(type, values.workshop),
  };
}

/** Fails when the values are no valid form; `checkNew` says why. */
export function newFormOf(values: OfferingValues): NewOfferingForm {
  const { id, coverImageId } = values;
  return NewOfferingForm.parse({ ...fieldsOf(values), id, coverImageId });
}

/** Whether the offering is what the form says; one from an earlier try may be older than the last edit. */
export function matchesForm(
  offering: Offering,
  { coverImageId, files = [], ...form }: NewOfferingForm,
): boolean {
  const fields = [
    ...(['title', 'description', 'price', 'type', 'state', 'paymentUrl', 'productUrl'] as const),
    ...(['deliveryText', 'deliveryUrl'] as const),
  ];
  return (
    fields.every((field) => offering[field] === form[field]) &&
    sameWorkshop(offering, form) &&
    offering.coverImage?.id === coverImageId &&
    sameFiles(filesOf(offering), files)
  );
}

/** Whether the offering says what these values do. */
export function isSavedIn(offering: Offering, values: OfferingValues): boolean {
  const whole = (of: OfferingValues) => {
    const files = of.files.map(({ id, note }) => ({ id, note: note.trim() }));
    const form = { ...fieldsOf(of), coverImageId: of.coverImage?.id, files };
    // An offering of before may hold a link that the form would not take today.
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
