import { useEffect, useRef, useState } from 'react';
import { type CrudCalls, Http, useMutation, useQuery, useService, useStore, useTransportErrorToast } from '#kernel';
import type { OneTimePassword } from '#shared/one-time-passwords';
import type { ImportPreview, RowProblem, TransferRow } from '#shared/transfer-schemas';
import { transfers } from '../contract.ts';
import { downloadLink, isUnfinished, TransferCentre } from './transfer-centre.ts';

const none: readonly RowProblem[] = [];

/** Follows an import that was started, with its problems and the passwords that it created. */
function useImportResult(started: TransferRow | undefined, onImported: () => void) {
  const centre = useService(TransferCentre);
  const showError = useTransportErrorToast();
  const [passwords, setPasswords] = useState<readonly OneTimePassword[]>([]);
  const listed = useStore(centre, ({ rows }) => rows.find(({ id }) => id === started?.id));
  const isShown = useRef(false);
  const handledId = useRef<string>(undefined);
  // A poll that was sent before the import ended is older than the reply to its start.
  const result = listed && started && (isUnfinished(started) || !isUnfinished(listed)) ? listed : started;
  const { data: problems = none } = useQuery(transfers.problems, { id: result?.id ?? '' }, { quiet: true, enabled: result?.hasProblems === true });

  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  /** Shows the passwords at once, because the server returns them only once; in the download centre if this dialog has been closed. */
  const takePasswords = async (id: string) => {
    const taken = await centre.takePasswords(id);
    if (isShown.current) setPasswords(taken);
    else centre.showPasswords(taken);
  };
  useEffect(() => {
    if (!result || isUnfinished(result) || handledId.current === result.id) return;
    handledId.current = result.id;
    if (result.good > 0) onImported();
    if (result.hasPasswords) takePasswords(result.id).catch(showError);
  });
  return { result, problems, passwords, takePasswords, dismissPasswords: () => setPasswords([]) };
}

/** Runs one import from the upload of a sheet to its result. */
export function useImport(crud: CrudCalls, onImported: () => void) {
  const http = useService(Http);
  const centre = useService(TransferCentre);
  const [preview, setPreview] = useState<ImportPreview>();
  const [started, setStarted] = useState<TransferRow>();
  const { isPending: isBusy, mutate } = useMutation((step: () => Promise<boolean>) => step());
  const { result, problems, passwords, takePasswords, dismissPasswords } = useImportResult(started, onImported);

  return {
    preview,
    result,
    problems,
    passwords,
    isBusy,
    upload: (file: File) =>
      mutate(async () => {
        const answer = crud.importPreview && (await http.send(crud.importPreview, {}, { file }));
        if (answer?.success) setPreview(answer.data);
        return answer?.success ?? false;
      }),
    map: (mapping: ImportPreview['mapping']) =>
      mutate(async () => {
        const answer = crud.importMapping && preview && (await http.send(crud.importMapping, { fileId: preview.fileId, mapping }));
        if (answer?.success) setPreview(answer.data);
        return answer?.success ?? false;
      }),
    run: (mode: 'all' | 'good') =>
      mutate(async () => {
        const answer = crud.import && preview && (await http.send(crud.import, { fileId: preview.fileId, mapping: preview.mapping, mode }));
        if (answer?.success) setStarted(answer.data);
        void centre.refresh();
        return answer?.success ?? false;
      }),
    downloadTemplate: () =>
      mutate(async () => {
        const answer = crud.importTemplate && (await http.send(crud.importTemplate, {}));
        if (answer?.success) downloadLink(answer.data.link);
        return answer?.success ?? false;
      }),
    downloadProblems: () =>
      mutate(async () => {
        if (result) await centre.download(result.id, 'problems');
        return true;
      }),
    showPasswords: () =>
      mutate(async () => {
        if (result) await takePasswords(result.id);
        return true;
      }),
    dismissPasswords,
    restart: () => {
      setStarted(undefined);
      setPreview(undefined);
    },
  };
}
