import { pictureContentTypes, type Picture, uploadBytes, type UploadPurpose } from '@stoa/contracts';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/http.ts';
import { messageFor } from '../api/messages.ts';
import { uploadPicture } from './upload.ts';

interface PictureOptions {
  purpose: UploadPurpose;
  tooLarge: string;
  /** Runs with the finished upload, and with null when the picture is taken away. */
  onChange: (picture: Picture | null) => void;
}

export type UploadState =
  | { step: 'idle' }
  | { step: 'uploading'; preview: string; progress: number }
  | { step: 'failed'; preview: string; error: string };

/** One picture of a form: chosen, checked, uploaded at once, cancelled or tried again. */
export function usePicture({ purpose, tooLarge, onChange }: PictureOptions) {
  const [state, setState] = useState<UploadState>({ step: 'idle' });
  const [refusal, setRefusal] = useState<string>();
  const file = useRef<File>(undefined);
  const abort = useRef<AbortController>(undefined);
  const running = useRef<Promise<boolean>>(undefined);

  useEffect(() => () => abort.current?.abort(), []);

  function choose(chosen: File): void {
    const problem = refusalOf(chosen, purpose, tooLarge);
    setRefusal(problem);
    if (problem) return;
    file.current = chosen;
    start(chosen);
  }

  function start(chosen: File): void {
    abort.current?.abort();
    const controller = new AbortController();
    abort.current = controller;
    running.current = run(chosen, controller);
  }

  /** Resolves whether the form may go on with what it has. */
  async function run(chosen: File, controller: AbortController): Promise<boolean> {
    const preview = URL.createObjectURL(chosen);
    const show = (next: UploadState) => {
      if (abort.current === controller) setState(next);
    };
    const progressed = (progress: number) => show({ step: 'uploading', preview, progress });
    progressed(0);
    try {
      onChange(await uploadPicture(purpose, chosen, progressed, controller.signal));
      show({ step: 'idle' });
      URL.revokeObjectURL(preview);
      return true;
    } catch (error) {
      if (controller.signal.aborted) return true;
      console.error(error);
      show({ step: 'failed', preview, error: uploadProblem(error) });
      return false;
    }
  }

  function cancel(): void {
    abort.current?.abort();
    abort.current = undefined;
    running.current = undefined;
    setState({ step: 'idle' });
    setRefusal(undefined);
  }

  return {
    state,
    refusal,
    choose,
    cancel,
    retry: () => file.current && start(file.current),
    remove: () => {
      cancel();
      onChange(null);
    },
    /** Waits for an upload under way; false when it failed. */
    settled: async () => (await running.current) ?? true,
  };
}

function refusalOf(file: File, purpose: UploadPurpose, tooLarge: string): string | undefined {
  if (!pictureContentTypes.some((type) => type === file.type))
    return 'Choose a JPEG, PNG, WebP or AVIF picture.';
  if (file.size === 0) return 'The file is empty.';
  return file.size > uploadBytes[purpose] ? tooLarge : undefined;
}

function uploadProblem(error: unknown): string {
  const told = error instanceof ApiError ? error.fields[0]?.message : undefined;
  return told ?? messageFor('upload', error);
}
