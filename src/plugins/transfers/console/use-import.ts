import { useEffect, useRef, useState } from 'react';
import { type CrudCalls, Http, useService } from '#kernel';
import type { OneTimePassword } from '#shared/one-time-passwords';
import type { ImportPreview, RowProblem, TransferRow } from '#shared/transfer-schemas';
import { transfers } from '../contract.ts';
import { fetchFile, isUnfinished, TransferCentre } from './transfer-centre.ts';

const pollMs = 1000;
const none: readonly RowProblem[] = [];

/** Follows a running import and holds its result, its problems and the passwords it created. */
function useImportResult(onImported: () => void) {
  const http = useService(Http);
  const [result, setResult] = useState<TransferRow>();
  const [problems, setProblems] = useState<readonly RowProblem[]>(none);
  const [passwords, setPasswords] = useState<readonly OneTimePassword[]>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const show = (row: TransferRow) => {
    setResult(row);
    if (isUnfinished(row)) timer.current = setTimeout(() => void refreshTransfer(row.id), pollMs);
    else if (row.good > 0) onImported();
    if (row.hasPasswords && !isUnfinished(row)) void fetchPasswords(row.id);
    if (row.hasProblems) void readProblems(row.id);
  };
  const readProblems = async (id: string) => {
    const answer = await http.send(transfers.problems, { id }, { quiet: true }).catch(() => undefined);
    if (answer?.success) setProblems(answer.data);
  };
  /** The server returns the passwords only once, so they are shown at once. */
  const fetchPasswords = async (id: string) => {
    const answer = await http.send(transfers.passwords, { id });
    if (!answer.success) return;
    setResult((row) => row && { ...row, hasPasswords: false });
    if (answer.data.length > 0) setPasswords(answer.data);
  };
  const refreshTransfer = async (id: string) => {
    const answer = await http.send(transfers.detail, { id }, { quiet: true }).catch(() => undefined);
    if (answer?.success) show(answer.data);
  };
  const clear = () => {
    clearTimeout(timer.current);
    setResult(undefined);
    setProblems(none);
  };
  return { result, problems, passwords, setPasswords, show, fetchPasswords, clear };
}

/** Runs one import from the upload of a sheet to its result, polled while the dialog is open. */
export function useImport(crud: CrudCalls, onImported: () => void) {
  const http = useService(Http);
  const centre = useService(TransferCentre);
  const [preview, setPreview] = useState<ImportPreview>();
  const [isBusy, setIsBusy] = useState(false);
  const { result, problems, passwords, setPasswords, show, fetchPasswords, clear } = useImportResult(onImported);

  /** Runs one task at a time; failures have been shown as toasts already. */
  const whileBusy = async (work: () => Promise<void>) => {
    setIsBusy(true);
    await work().catch(() => undefined);
    setIsBusy(false);
  };

  return {
    preview,
    result,
    problems,
    isBusy,
    upload: (file: File) =>
      whileBusy(async () => {
        const answer = crud.importPreview && (await http.send(crud.importPreview, {}, { file }));
        if (answer?.success) setPreview(answer.data);
      }),
    map: (mapping: ImportPreview['mapping']) =>
      whileBusy(async () => {
        const answer = crud.importMapping && preview && (await http.send(crud.importMapping, { fileId: preview.fileId, mapping }));
        if (answer?.success) setPreview(answer.data);
      }),
    run: (mode: 'all' | 'good') =>
      whileBusy(async () => {
        const answer = crud.import && preview && (await http.send(crud.import, { fileId: preview.fileId, mapping: preview.mapping, mode }));
        if (!answer?.success) return;
        void centre.refresh();
        show(answer.data);
      }),
    template: () =>
      whileBusy(async () => {
        const answer = crud.importTemplate && (await http.send(crud.importTemplate, {}));
        if (answer?.success) fetchFile(answer.data.link);
      }),
    fetchProblems: async () => {
      if (result) await centre.download(result.id, 'problems');
    },
    passwords,
    fetchPasswords: async () => {
      if (result) await fetchPasswords(result.id);
    },
    closePasswords: () => setPasswords(undefined),
    restart: () => {
      clear();
      setPreview(undefined);
    },
  };
}
