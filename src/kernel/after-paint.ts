/** Runs once what has changed is on screen: for what takes long, or is seen by nobody. Where nobody looks it runs at once. Returns its undoing. */
export function afterPaint(work: () => void): () => void {
  if (document.hidden) {
    work();
    return () => undefined;
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
