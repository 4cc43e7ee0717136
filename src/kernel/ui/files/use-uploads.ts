import { useEffect, useRef, useState } from 'react';
import type { FileReplyRow } from '#shared/files';
import { useService } from '../../base/react/services.tsx';
import { useUnmount } from '../../base/react/use-unmount.ts';
import { Http } from '../../platform/http/http.ts';
import { sendFile } from '../../platform/http/send-file.ts';

/** A file that is uploading. */
export interface UploadingFile {
  readonly key: number;
  readonly file: File;
  /** Progress from 0 to 1. */
  readonly fraction: number;
  readonly hasFailed: boolean;
  /** Destination that was selected when the file was added, such as a folder. */
  readonly destination: string;
}

interface Uploads {
  readonly uploads: readonly UploadingFile[];
  add(selected: readonly File[], destination?: string): void;
  retry(upload: UploadingFile): void;
  /** Removes the upload, running or failed. */
  cancel(upload: UploadingFile): void;
}

let lastKey = 0;

/**
 * Uploads files as soon as they are added, in parallel and also while their tab is hidden.
 * A finished upload is reported and removed from the list. Unmounting cancels all uploads.
 */
export function useUploads(isPublic: boolean, onUploaded: (reply: FileReplyRow, destination: string) => void): Uploads {
  const http = useService(Http);
  const [uploads, setUploads] = useState<readonly UploadingFile[]>([]);
  const [controllers] = useState(() => new Map<number, AbortController>());
  const latestOnUploaded = useRef(onUploaded);
  useEffect(() => {
    latestOnUploaded.current = onUploaded;
  });
  useUnmount(controllers, () => {
    for (const controller of controllers.values()) controller.abort();
  });

  const change = (key: number, changes: Partial<UploadingFile>) =>
    setUploads((all) => all.map((upload) => (upload.key === key ? { ...upload, ...changes } : upload)));
  const remove = (key: number) => setUploads((all) => all.filter((upload) => upload.key !== key));

  const send = async ({ key, file, destination }: UploadingFile) => {
    const controller = new AbortController();
    controllers.set(key, controller);
    change(key, { fraction: 0, hasFailed: false });
    const options = { isPublic, signal: controller.signal, onProgress: (fraction: number) => change(key, { fraction }) };
    const answer = await sendFile(http, file, options).catch(() => undefined);
    controllers.delete(key);
    if (controller.signal.aborted) return;
    if (!answer?.success) return change(key, { hasFailed: true });
    remove(key);
    latestOnUploaded.current(answer.data, destination);
  };

  const add = (selected: readonly File[], destination = '') => {
    const added = selected.map((file): UploadingFile => {
      lastKey += 1;
      return { key: lastKey, file, fraction: 0, hasFailed: false, destination };
    });
    setUploads((all) => [...all, ...added]);
    for (const upload of added) void send(upload);
  };
  const cancel = ({ key }: UploadingFile) => {
    controllers.get(key)?.abort();
    remove(key);
  };
  return { uploads, add, retry: (upload) => void send(upload), cancel };
}
