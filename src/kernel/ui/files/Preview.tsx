import { Button, Image, Modal } from '@arco-design/web-react';
import { lazy, Suspense, useMemo } from 'react';
import { from } from 'rxjs';
import { useStream } from '../../base/react/use-stream.ts';
import { requestTimeoutMs } from '../../platform/http/transport.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { fileKind } from './file-kinds.ts';
import { fileMessages } from './file-messages.ts';
import styles from './files.module.css';

const PdfPages = lazy(() => import('./PdfPages.tsx'));

/** A file to show: `type` is its MIME type, `link` its address. */
export interface PreviewFile {
  readonly type: string;
  readonly link: string;
  readonly originalName: string;
}

/** Props of the file preview. */
export interface PreviewProps {
  readonly file: PreviewFile;
  readonly onClose: () => void;
}

/** Shows a file over the page: pictures, video, sound, PDF and text; other kinds can be downloaded. */
export default function Preview({ file, onClose }: PreviewProps) {
  const t = useTranslation();
  if (fileKind(file.type) === 'image') return <Image.Preview src={file.link} visible onVisibleChange={(isVisible) => !isVisible && onClose()} />;
  const download = (
    <Button href={file.link} target="_blank">
      {t(fileMessages.download)}
    </Button>
  );
  return (
    <Modal visible title={file.originalName} footer={download} className={styles.preview ?? ''} onCancel={onClose} unmountOnExit>
      <Suspense>
        <Content file={file} />
      </Suspense>
    </Modal>
  );
}

function Content({ file: { type, link, originalName } }: { readonly file: PreviewFile }) {
  const t = useTranslation();
  switch (fileKind(type)) {
    case 'video':
      // biome-ignore lint/a11y/useMediaCaption: uploaded files have no captions
      return <video className={styles.video} src={link} controls aria-label={originalName} />;
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: uploaded files have no captions
      return <audio src={link} controls aria-label={originalName} />;
    case 'pdf':
      return <PdfPages link={link} name={originalName} />;
    case 'text':
      return <Text link={link} />;
    default:
      return <p>{t(fileMessages.noPreview)}</p>;
  }
}

const maxTextBytes = 200_000;

function Text({ link }: { readonly link: string }) {
  const t = useTranslation();
  const text$ = useMemo(() => from(fetchBeginning(link).catch(() => null)), [link]);
  const text = useStream<string | null | undefined>(text$, undefined);
  if (text === null) return <p>{t(fileMessages.notLoaded)}</p>;
  return <pre className={styles.text}>{text}</pre>;
}

async function fetchBeginning(link: string): Promise<string> {
  const response = await fetch(link, { headers: { range: `bytes=0-${maxTextBytes}` }, signal: AbortSignal.timeout(requestTimeoutMs) });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.text();
}
