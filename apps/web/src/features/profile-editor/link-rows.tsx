import { InsecureLink } from '../../forms/insecure-link.tsx';
import { LinkField } from '../../forms/link-field.tsx';
import { RowList, type RowListWords } from '../../forms/row-list.tsx';
import type { FieldErrors } from '../../forms/use-form.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import { emptyRow, type LinkRow } from './profile-form.ts';

/** What a list of links is called on screen. */
interface Words extends RowListWords {
  /** What the first field of a row is called, and an example of it. */
  name: string;
  example: string;
}

export interface LinkRowsProps {
  rows: readonly LinkRow[];
  errors: FieldErrors;
  /** `touched`: the paths of the changed fields. */
  onChange: (rows: LinkRow[], touched: readonly string[]) => void;
}

interface FieldsProps extends LinkRowsProps {
  field: 'paygates' | 'links';
  most: number;
  words: Words;
  sortable?: boolean;
}

/** A list of named links. Only complete rows are saved. */
export function LinkRows({ field, rows, errors, onChange, most, words, sortable }: FieldsProps) {
  const change = (key: string, part: 'name' | 'url', text: string) => {
    const changed = rows.map((row) => (row.key === key ? { ...row, [part]: text } : row));
    onChange(changed, [`${field}.${key}.${part}`]);
  };
  return (
    <RowList
      rows={rows}
      error={errors[field]}
      keyOf={({ key }) => key}
      empty={emptyRow}
      most={most}
      words={words}
      sortable={sortable}
      columns="sm:grid-cols-[1fr_1.5fr_auto]"
      onChange={(changed, removed) => onChange(changed, removed ? [`${field}.${removed}`] : [])}
    >
      {(row, index) => (
        <>
          <TextField
            label={words.name}
            aria-label={`${words.name} of ${words.one} ${index + 1}`}
            placeholder={words.example}
            value={row.name}
            error={errors[`${field}.${row.key}.name`]}
            hint={missingIn(row) === 'name' && `Add a ${words.name.toLowerCase()}, or this row is not saved.`}
            onChange={(event) => change(row.key, 'name', event.target.value)}
          />
          <InsecureLink
            url={row.url}
            label={`${words.one} ${index + 1}`}
            onFix={(fixed) => change(row.key, 'url', fixed)}
          >
            <LinkField
              label="Link"
              aria-label={`Address of ${words.one} ${index + 1}`}
              value={row.url}
              error={errors[`${field}.${row.key}.url`]}
              hint={missingIn(row) === 'url' && 'Add a link, or this row is not saved.'}
              onType={(url) => change(row.key, 'url', url)}
            />
          </InsecureLink>
        </>
      )}
    </RowList>
  );
}

/** The missing half of an incomplete row; undefined if the row is empty or complete. */
function missingIn({ name, url }: LinkRow): 'name' | 'url' | undefined {
  const named = name.trim() !== '';
  const linked = url.trim() !== '';
  if (named === linked) return undefined;
  return named ? 'url' : 'name';
}
