import { Button, Image, Modal } from '@arco-design/web-react';
import { lazy, Suspense, useMemo } from 'react';
import { useWords } from '../i18n/use-words.ts';
import { loadable } from '../loadable.ts';
import { useStream } from '../use-stream.ts';
import { kindOf } from './file-kinds.ts';
import { fileWords } from './file-words.ts';
import styles from './files.module.css';

const PdfPages = lazy(() => import('./PdfPages.tsx'));

/** A file as it is shown: `type` by its content, `link` opens it. */
export interface ShownFile {
  readonly type: string;
  readonly link: string;
  readonly originalName: string;
}

/** Which file is over the page, and what closes it. */
export interface PreviewProps {
  readonly of: ShownFile;
  readonly onClose: () => void;
}

/** A file over the page: pictures, video, sound, PDF and text; anything else can be downloaded. */
export default function Preview({ of, onClose }: PreviewProps) {
  const say = useWords();
  if (kindOf(of.type) === 'picture') return <Image.Preview src={of.link} visible onVisibleChange={(isVisible) => !isVisible && onClose()} />;
  const download = (
    <Button href={of.link} target="_blank">
      {say(fileWords.download)}
    </Button>
  );
  return (
    <Modal visible title={of.originalName} footer={download} className={styles.preview ?? ''} onCancel={onClose} unmountOnExit>
      <Suspense>
        <Content of={of} />
      </Suspense>
    </Modal>
  );
}

function Content({ of: { type, link, originalName } }: { readonly of: ShownFile }) {
  const say = useWords();
  switch (kindOf(type)) {
    case 'video':
      // biome-ignore lint/a11y/useMediaCaption: what was uploaded has none
      return <video className={styles.film} src={link} controls aria-label={originalName} />;
    case 'sound':
      // biome-ignore lint/a11y/useMediaCaption: what was uploaded has none
      return <audio src={link} controls aria-label={originalName} />;
    case 'pdf':
      return <PdfPages link={link} name={originalName} />;
    case 'text':
      return <Text link={link} />;
    default:
      return <p>{say(fileWords.noPreview)}</p>;
  }
}

const mostText = 200_000;

function Text({ link }: { readonly link: string }) {
  const text$ = useMemo(() => loadable(beginningOf(link)), [link]);
  const { value } = useStream(text$, { status: 'loading' });
  return <pre className={styles.text}>{value}</pre>;
}

async function beginningOf(link: string): Promise<string> {
  return (await fetch(link, { headers: { range: `bytes=0-${mostText}` } })).text();
}
