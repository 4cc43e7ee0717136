import { Button } from '@arco-design/web-react';
import { IconLeft, IconRight } from '@arco-design/web-react/icon';
import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { fileMessages } from './file-messages.ts';
import styles from './files.module.css';

/** Largest width of a rendered page in device pixels. */
const maxWidth = 1400;

/** Renders a PDF page by page to a canvas; scripts in the document never run. */
export default function PdfPages({ link, name }: { readonly link: string; readonly name: string }) {
  const t = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [pdf, setPdf] = useState<PDFDocumentProxy>();
  const [hasFailed, setHasFailed] = useState(false);
  const [page, setPage] = useState(1);

  useEffect(() => {
    GlobalWorkerOptions.workerPort ??= new Worker(new URL('pdfjs-dist/build/pdf.worker.min.mjs', import.meta.url), { type: 'module' });
    let isCurrent = true;
    const loading = getDocument({ url: link, isEvalSupported: false, enableXfa: false, useWasm: false, useSystemFonts: true });
    // A document that is destroyed while it loads rejects, too.
    loading.promise.then(
      (loaded) => isCurrent && setPdf(loaded),
      () => isCurrent && setHasFailed(true),
    );
    return () => {
      isCurrent = false;
      setPdf(undefined);
      void loading.destroy();
    };
  }, [link]);

  useEffect(() => {
    if (!pdf || !canvas.current) return undefined;
    const controller = new AbortController();
    drawPage(pdf, page, canvas.current, controller.signal).catch(() => controller.signal.aborted || setHasFailed(true));
    return () => controller.abort();
  }, [pdf, page]);

  if (hasFailed) return <p>{t(fileMessages.noPreview)}</p>;
  const count = pdf?.numPages ?? 1;
  return (
    <div className={styles.pdf}>
      <div className={styles.turning}>
        <Button icon={<IconLeft />} aria-label={t(fileMessages.previousPage)} disabled={page <= 1} onClick={() => setPage(page - 1)} />
        <span role="status">{t(fileMessages.pageOf, { page, count })}</span>
        <Button icon={<IconRight />} aria-label={t(fileMessages.nextPage)} disabled={page >= count} onClick={() => setPage(page + 1)} />
      </div>
      <canvas ref={canvas} role="img" aria-label={`${name} ${page}`} data-loaded={pdf !== undefined || undefined} />
    </div>
  );
}

/** Draws a page; the signal cancels it, because a canvas takes one drawing at a time. */
async function drawPage(pdf: PDFDocumentProxy, pageNumber: number, canvas: HTMLCanvasElement, signal: AbortSignal) {
  const page = await pdf.getPage(pageNumber);
  signal.throwIfAborted();
  const { width } = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: Math.min(maxWidth, (canvas.parentElement?.clientWidth ?? 800) * window.devicePixelRatio) / width });
  canvas.width = viewport.width;
  canvas.height = viewport.height;
  const task = page.render({ canvas, viewport });
  signal.addEventListener('abort', () => task.cancel());
  await task.promise;
}
