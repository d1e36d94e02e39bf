/** The parameters of a signed link. Its signature covers all of them. */
const needed = [
  'X-Amz-Algorithm',
  'X-Amz-Credential',
  'X-Amz-Date',
  'X-Amz-Expires',
  'X-Amz-Signature',
  'X-Amz-SignedHeaders',
];
const allowed = [
  ...needed,
  'response-cache-control',
  'response-content-disposition',
  'response-content-type',
  'x-id',
];

/** Whether the query has exactly the parameters that the media service signs. The store checks the signature. */
export function isSignedQuery(query: string): boolean {
  const given = [...new URLSearchParams(query)];
  const names = given.map(([name]) => name);
  return (
    new Set(names).size === names.length &&
    names.every((name) => allowed.includes(name)) &&
    needed.every((name) => names.includes(name)) &&
    given.every(([name, value]) => name !== 'X-Amz-SignedHeaders' || value === 'host')
  );
}
