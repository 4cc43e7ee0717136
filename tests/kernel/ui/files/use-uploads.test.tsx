import { afterEach, expect, test } from '@rstest/core';
import { cleanup, screen } from '@testing-library/react';
import { useUploads } from '../../../../src/kernel/ui/files/use-uploads.ts';
import { files } from '../../../../src/shared/platform/files.ts';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(cleanup);

function Uploads({ onUploaded }: { readonly onUploaded: () => void }) {
  const { uploads, add } = useUploads(false, onUploaded);
  return (
    <button type="button" onClick={() => add([new File(['a'], 'a.txt')])}>
      {uploads.length}
    </button>
  );
}

test('an upload goes on while its tab is hidden, and ends with its page', async () => {
  const uploaded: string[] = [];
  const page = <Uploads onUploaded={() => uploaded.push('a.txt')} />;
  const { http, press, hideTab, showTab, closeTab, settle } = await showPage(page, { answers: { [files.upload.path]: () => ({ id: '1' }) } });
  http.hold();
  await press(screen.getByRole('button'));
  await hideTab();
  expect(http.sent[0]?.options.signal?.aborted).toBe(false);
  http.release();
  await settle();
  expect(uploaded).toEqual(['a.txt']);
  await showTab();
  expect(screen.getByRole('button').textContent).toBe('0');
  await press(screen.getByRole('button'));
  await closeTab();
  expect(http.sent[1]?.options.signal?.aborted).toBe(true);
});
