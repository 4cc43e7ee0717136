import { useNavigate } from 'react-router-dom';
import { type BatchAction, CrudPage, Http, saveFile, Toasts, useRowsLink, useService, useTranslation } from '#kernel';
import { rowsOf } from '#shared/figures';
import { type BankFileRow, bankFile, bankFileLine, bankFileStates } from '../contract.ts';
import { bankFileMenu } from '../menus.ts';
import { bankFileMessages } from './messages.ts';

const { download, settle, ...crud } = bankFile;

/** Lists the bank files. Top tasks: download a file, 1 click; import its results, 1 click and the file. */
export default function BankFilePage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const navigate = useNavigate();
  const linkOf = useRowsLink();
  const linesOf = ({ id }: BankFileRow) => linkOf(rowsOf(bankFileLine, { fileId: id }));
  const resultImport = ({ id }: BankFileRow): BatchAction => ({
    title: bankFileMessages.import,
    done: bankFileMessages.imported,
    send: async () => {
      const content = await readTextFile();
      if (content === undefined) return undefined;
      const answer = await http.send(settle, { id, content });
      return answer.success ? answer.data : undefined;
    },
  });
  return (
    <CrudPage
      crud={crud}
      title={bankFileMenu.title}
      empty={{ title: bankFileMessages.noFiles, hint: bankFileMessages.noFilesHint }}
      columns={{ bankAccountId: { hidden: true } }}
      actions={{
        row: [
          {
            title: bankFileMessages.download,
            code: 'bank_file_download',
            isPrimary: true,
            onClick: async ({ id }, screen) => {
              const answer = await http.send(download, { id });
              if (!answer.success) return;
              saveFile(answer.data.name, new Blob([answer.data.content], { type: 'text/csv' }));
              toasts.success(t(bankFileMessages.downloaded));
              screen.reload();
            },
          },
          {
            title: bankFileMessages.import,
            code: 'bank_file_settle',
            when: ({ state }) => state === bankFileStates.downloaded,
            onClick: (row, { batch }) => batch([row.id], resultImport(row)),
          },
          { title: bankFileMessages.lines, when: (row) => linesOf(row) !== undefined, onClick: (row) => navigate(linesOf(row) ?? '') },
        ],
      }}
      details
    />
  );
}

/** Lets the user select a CSV file and resolves with its text; with undefined if none is selected. Spreadsheets in China save CSV as GB 18030 unless asked for UTF-8. */
function readTextFile(): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = '.csv,text/csv';
    input.addEventListener('cancel', () => resolve(undefined));
    input.addEventListener('change', () => {
      const [file] = input.files ?? [];
      if (file) file.arrayBuffer().then((bytes) => resolve(decode(bytes)), reject);
      else resolve(undefined);
    });
    input.click();
  });
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}
