import type { Label, Request } from '@stoa/contracts';
import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import { createHash } from 'node:crypto';
import { z } from 'zod';

/** One document of an answer, as the bytes that its service made. */
export interface Document {
  /** What the contract tells beside it. */
  readonly labels: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

export const documentsHeader = 'Stoa-Documents';

/** What is told beside the bytes: of which shape they are, and of each document its length and its labels, in their order. */
const Envelope = z.object({
  shape: z.string(),
  isList: z.boolean(),
  documents: z.array(z.tuple([z.int().positive()], z.string())),
});

const opening = '{"items":[';
const closing = ']}';
const comma = 1;

const shapes = new WeakMap<Request, string>();

/** What an answer looks like as this release knows it. Of another release its bytes may lack what has a default here. */
function shapeOf(request: Request): string {
  const known = shapes.get(request);
  if (known) return known;
  // Labels are told by their place, so another order is another shape.
  const told = [
    (request.labels ?? []).map(nameOf),
    z.toJSONSchema(request.output, { unrepresentable: 'any' }),
  ];
  const shape = createHash('sha256').update(JSON.stringify(told)).digest('base64url').slice(0, 16);
  shapes.set(request, shape);
  return shape;
}

/** An answer that can be handed on, and the header that tells where each document of it lies. */
export function writeDocuments(
  request: Request,
  labels: readonly Label[],
  output: unknown,
): { body: string; headers: MsgHdrs } {
  const list = listOf(output);
  const documents = list ?? [output];
  const texts = documents.map((document) => JSON.stringify(document));
  const told: z.infer<typeof Envelope> = {
    shape: shapeOf(request),
    isList: list !== undefined,
    documents: documents.map((document, index) => [
      Buffer.byteLength(texts[index] ?? ''),
      ...labelsOf(document, labels),
    ]),
  };
  const carried = headers();
  carried.set(documentsHeader, JSON.stringify(told));
  return { body: list ? `${opening}${texts.join()}${closing}` : texts.join(), headers: carried };
}

/**
 * The documents of an answer: its bytes unparsed where they are of the shape that is known here, and read by the contract
 * and written again where another release made them.
 *
 * @throws Error for an envelope that does not fit its bytes.
 */
export function readDocuments(request: Request, answer: Msg): Document[] {
  const wanted = request.labels ?? [];
  const names = wanted.map(nameOf);
  const told = answer.headers?.get(documentsHeader);
  const envelope = told ? Envelope.parse(JSON.parse(told)) : undefined;
  if (!envelope || envelope.shape !== shapeOf(request)) {
    const output = request.output.parse(answer.json());
    return (listOf(output) ?? [output]).map((document) => ({
      labels: named(names, labelsOf(document, wanted)),
      bytes: Buffer.from(JSON.stringify(document)),
    }));
  }
  const { isList, documents } = envelope;
  let at = isList ? opening.length : 0;
  const found = documents.map(([length, ...labels]) => {
    if (labels.length !== names.length) throw new Error(`${request.subject} has other labels than it says.`);
    const bytes = answer.data.subarray(at, at + length);
    at += length + comma;
    return { labels: named(names, labels), bytes };
  });
  const end = at - (documents.length > 0 ? comma : 0) + (isList ? closing.length : 0);
  if (end !== answer.data.length) throw new Error(`${request.subject} has another length than it says.`);
  return found;
}

/** What an answer is a list of; one that has more than its items is a document itself. */
function listOf(output: unknown): unknown[] | undefined {
  const { items, ...rest } = output as { items?: unknown };
  return Array.isArray(items) && Object.keys(rest).length === 0 ? items : undefined;
}

const nameOf = (label: Label) => (typeof label === 'string' ? label : label.name);

const labelsOf = (document: unknown, labels: readonly Label[]) =>
  labels.map((label) =>
    typeof label === 'string' ? String((document as Record<string, unknown>)[label]) : label.of(document),
  );

const named = (names: readonly string[], values: readonly string[]) =>
  Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
