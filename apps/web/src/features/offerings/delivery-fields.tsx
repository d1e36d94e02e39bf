import { limits } from '@stoa/contracts/limits';
import { CharacterCount } from '../../forms/character-count.tsx';
import { formatHint } from '../../forms/format-hint.ts';
import { LinkField } from '../../forms/link-field.tsx';
import type { FileUploads } from '../../forms/uploads/use-files.ts';
import type { useForm } from '../../forms/use-form.ts';
import { TextArea } from '../../ui/fields/text-field.tsx';
import { FileListField } from './files/file-list-field.tsx';
import type { OfferingValues } from './offering-form.ts';

interface DeliveryFieldsProps {
  form: Pick<ReturnType<typeof useForm<OfferingValues>>, 'values' | 'errors' | 'change'>;
  uploads: FileUploads;
  disabled: boolean;
}

/** What buyers get through the delivery link: files, a link and a text. */
export function DeliveryFields({ form, uploads, disabled }: DeliveryFieldsProps) {
  const { values, errors, change } = form;
  return (
    <>
      {/* Outside of the disabled fieldset: a slow upload can be cancelled while the form waits for it. */}
      <FileListField
        files={values.files}
        errors={errors}
        uploads={uploads}
        disabled={disabled}
        onChange={(files, touched) =>
          change((now) => ({ files: files(now.files), filesChanged: true }), [touched ?? 'files'])
        }
      />
      <fieldset disabled={disabled} className="contents">
        <LinkField
          label="Link for Buyers"
          hint="Optional: a course, a call or a folder of yours. It is shown to buyers alone, on their download page."
          name="deliveryUrl"
          value={values.deliveryUrl}
          error={errors.deliveryUrl}
          onType={(deliveryUrl) => change({ deliveryUrl })}
        />
        <TextArea
          label="Text for Buyers"
          rows={4}
          hint={
            <>
              Optional: what buyers need to know, such as a password or what comes next. It is shown to buyers
              alone.
              <span className="block">
                <CharacterCount text={values.deliveryText} max={limits.deliveryTextLength} />
                {` · ${formatHint}`}
              </span>
            </>
          }
          name="deliveryText"
          value={values.deliveryText}
          error={errors.deliveryText}
          onChange={({ target }) => change({ deliveryText: target.value })}
        />
        {values.version > 0 && (
          <div className="flex gap-3">
            <input
              type="checkbox"
              id="shared-link"
              name="sharedLink"
              checked={values.sharedLink}
              aria-describedby="shared-link-hint"
              onChange={({ target }) => change({ sharedLink: target.checked })}
              className="mt-1 size-4 shrink-0 accent-(--accent)"
            />
            <div>
              <label htmlFor="shared-link" className="cursor-pointer font-semibold">
                All buyers share one link
              </label>
              <p id="shared-link-hint" className="text-muted text-sm">
                Turn it off to give each sale a link of its own. Buyers who have the shared link then lose
                their access, until you turn it on again.
              </p>
            </div>
          </div>
        )}
      </fieldset>
    </>
  );
}
