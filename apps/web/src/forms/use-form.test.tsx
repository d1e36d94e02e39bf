import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, jest, test } from '@jest/globals';
import { creatorErrorMessages } from '../api/creator/creator-messages.ts';
import { TextField } from '../ui/fields/text-field.tsx';
import { type FieldErrors, useForm } from './use-form.ts';

interface Values {
  title: string;
  picture: string;
}

interface FormProps {
  submit: (values: Values) => Promise<void>;
  /** The result of the upload that the form waits for. */
  uploads?: boolean;
  validate?: (values: Values) => FieldErrors;
  reopen?: boolean;
  waitFor?: () => Promise<boolean>;
  goOn?: () => void;
}

function Form(props: FormProps) {
  const { submit, uploads = false, validate = () => ({}), reopen = false, waitFor, goOn } = props;
  const initial = { title: 'Letters', picture: '' };
  const form = useForm<Values>({
    initial,
    words: creatorErrorMessages.offeringCreate,
    validate,
    submit: async (values) => {
      await submit(values);
      if (reopen) form.reset(initial);
    },
    goOn,
    pending: () => (uploads || waitFor ? ['picture'] : []),
    waitFor: async (): Promise<boolean> => {
      if (waitFor) return waitFor();
      if (uploads) form.change({ picture: 'uploaded' });
      return true;
    },
  });
  const locked = form.busy || form.done;
  return (
    <form {...form.formProps}>
      <TextField
        label="Title"
        value={form.values.title}
        error={form.errors.title}
        disabled={locked}
        onChange={({ target }) => form.change({ title: target.value })}
      />
      <output>{form.dirty ? 'unsaved' : 'saved'}</output>
      <button type="submit" disabled={locked}>
        Save
      </button>
    </form>
  );
}

const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
const title = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Title' });

test('a form that waits for an upload sends its result', async () => {
  const submit = jest.fn(async (_: Values) => undefined);
  render(<Form submit={submit} uploads />);
  await userEvent.click(save());
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1));
  expect(submit).toHaveBeenCalledWith({ title: 'Letters', picture: 'uploaded' });
});

test('a saved form stays disabled until the next page appears', async () => {
  const submit = jest.fn(async (_: Values) => undefined);
  render(<Form submit={submit} />);
  await userEvent.click(save());
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1));
  await waitFor(() => expect(save().disabled).toBe(true));

  // Long after a double click, as on a slow network.
  jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  save().form?.requestSubmit();
  expect(submit).toHaveBeenCalledTimes(1);
});

test('a reset form is enabled again', async () => {
  const submit = jest.fn(async (_: Values) => undefined);
  render(<Form submit={submit} reopen />);
  await userEvent.click(save());
  await waitFor(() => expect(save().disabled).toBe(false));
  await userEvent.type(title(), '!');
  await userEvent.click(save());
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(2));
});

test('Enter and a click together send once', async () => {
  const answer = Promise.withResolvers<undefined>();
  const submit = jest.fn((_: Values) => answer.promise);
  render(<Form submit={submit} />);
  await userEvent.type(title(), '!{Enter}');
  await userEvent.click(save());
  save().form?.requestSubmit();
  expect(submit).toHaveBeenCalledTimes(1);
  answer.resolve(undefined);
});

test('changing a text back to its saved value leaves no unsaved change', async () => {
  render(<Form submit={async () => undefined} />);
  expect(screen.getByText('saved')).toBeTruthy();
  await userEvent.type(title(), '!');
  expect(screen.getByText('unsaved')).toBeTruthy();
  await userEvent.type(title(), '{Backspace}');
  expect(screen.getByText('saved')).toBeTruthy();
});

test('after a failed submit the submit button has the focus', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  render(<Form submit={() => Promise.reject(new Error('down'))} />);
  await userEvent.type(title(), '!{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(save()));
});

test('a failed submit does not move a focus outside the form', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  const answer = Promise.withResolvers<undefined>();
  render(
    <>
      <button>Menu</button>
      <Form submit={() => answer.promise} />
    </>,
  );
  await userEvent.click(save());
  screen.getByRole('button', { name: 'Menu' }).focus();
  answer.reject(new Error('down'));
  await waitFor(() => expect(save().disabled).toBe(false));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Menu' }));
});

test('a form that is unmounted during an upload is not submitted', async () => {
  const upload = Promise.withResolvers<boolean>();
  const waitFor = jest.fn(() => upload.promise);
  const submit = jest.fn(async (_: Values) => undefined);
  const { unmount } = render(<Form submit={submit} waitFor={waitFor} />, { reactStrictMode: true });
  await userEvent.click(save());
  expect(waitFor).toHaveBeenCalledTimes(1);
  unmount();
  upload.resolve(true);
  await turnOfTheLoop();
  expect(submit).not.toHaveBeenCalled();
});

test('a successful submit redirects, but not after unmount', async () => {
  const goOn = jest.fn();
  const taken = render(<Form submit={async () => undefined} goOn={goOn} />, { reactStrictMode: true });
  await userEvent.click(save());
  await waitFor(() => expect(goOn).toHaveBeenCalledTimes(1));
  taken.unmount();

  const answer = Promise.withResolvers<undefined>();
  const { unmount } = render(<Form submit={() => answer.promise} goOn={goOn} />);
  await userEvent.click(save());
  unmount();
  answer.resolve(undefined);
  await turnOfTheLoop();
  expect(goOn).toHaveBeenCalledTimes(1);
});

test('errors of other fields appear before an upload ends [web-92]', async () => {
  const waitFor = jest.fn(() => new Promise<boolean>(() => {}));
  const missing = ({ title: typed, picture }: Values): FieldErrors => ({
    ...(typed === '' && { title: 'This field is required.' }),
    ...(picture === '' && { picture: 'Please select a cover image.' }),
  });
  render(<Form submit={async () => undefined} waitFor={waitFor} validate={missing} />);
  await userEvent.clear(title());
  await userEvent.click(save());
  await screen.findByText('This field is required.');
  expect(waitFor).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(title());

  await userEvent.type(title(), 'Letters');
  await userEvent.click(save());
  expect(waitFor).toHaveBeenCalledTimes(1);
});
