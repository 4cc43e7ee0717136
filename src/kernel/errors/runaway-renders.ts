import type { Undo } from '../bus.ts';

/** What React tells tools of each commit; `pre-paint.js` leaves a place for it before React looks, and tools of the browser's may have been quicker. */
interface CommitHook {
  onCommitFiberRoot: (id: number, root: Root, ...more: unknown[]) => void;
}

interface Fiber {
  readonly stateNode: unknown;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
}

interface Root {
  readonly current: Fiber;
}

/** A boundary that is told when what stands in it is drawn without end. */
interface Guarded {
  stopRunaway(error: RunawayRender): void;
}

/** A component that has itself drawn again each time it was drawn. React ends such a circle while it draws, but not one that goes through an effect. */
export class RunawayRender extends Error {
  override readonly name = 'RunawayRender';

  constructor() {
    super('It is drawn again and again without end: an effect sets a state that it depends on.');
  }
}

/** `span`: milliseconds over which commits are counted. A test on a busy machine gives it more. */
export const runawayLimits = { span: 2000 };

/** So many commits in that time may be anything; from then on frames are counted beside them. */
const usual = 30;

/** Commits beside frames that no motion needs: what moves is drawn once a frame, a circle as often as it can. */
const many = 100;
const mostInFrame = 2.5;

/** How many commits are looked at more closely once there are too many, to learn whose they are. */
const proof = 20;

const guarded = new Set<Guarded>();
let began = 0;
let commits = 0;
let frames = 0;
let frame: number | undefined;
let looked = 0;
let undoHook: Undo | undefined;
const drawnBy = new Map<Guarded, { child: Fiber | null; times: number }>();

/** Watches what is drawn inside of this boundary until the undoing is called. */
export function watchRunaway(boundary: Guarded): Undo {
  guarded.add(boundary);
  undoHook ??= hook();
  return () => {
    guarded.delete(boundary);
    drawnBy.delete(boundary);
    if (guarded.size > 0) return;
    undoHook?.();
    undoHook = undefined;
    begin(0);
  };
}

function hook(): Undo | undefined {
  const { __REACT_DEVTOOLS_GLOBAL_HOOK__: tools } = globalThis as { __REACT_DEVTOOLS_GLOBAL_HOOK__?: CommitHook };
  if (!tools) return undefined;
  const { onCommitFiberRoot } = tools;
  tools.onCommitFiberRoot = (id, root, ...more) => {
    onCommitFiberRoot.call(tools, id, root, ...more);
    note(root);
  };
  return () => {
    tools.onCommitFiberRoot = onCommitFiberRoot;
  };
}

function note(root: Root): void {
  const now = performance.now();
  if (now - began > runawayLimits.span) begin(now);
  commits++;
  if (commits === usual) countFrames();
  const counted = commits - usual;
  if (counted < many || counted < frames * mostInFrame || looked > proof) return;
  looked++;
  for (const boundary of innermostDrawn(root.current)) {
    // What is drawn once in all this time is no circle.
    if ((drawnBy.get(boundary)?.times ?? 0) > proof / 2) queueMicrotask(() => guarded.has(boundary) && boundary.stopRunaway(new RunawayRender()));
  }
}

function begin(now: number): void {
  began = now;
  commits = 0;
  frames = 0;
  looked = 0;
  drawnBy.clear();
  if (frame !== undefined) cancelAnimationFrame(frame);
  frame = undefined;
}

function countFrames(): void {
  frame = requestAnimationFrame(() => {
    frames++;
    if (performance.now() - began < runawayLimits.span) countFrames();
    else frame = undefined;
  });
}

/** The boundaries something was drawn in since the last look, without those that only stand around one of them. */
function innermostDrawn(top: Fiber): Guarded[] {
  const found: Guarded[] = [];
  const look = (start: Fiber | null): boolean => {
    let isDrawn = false;
    for (let fiber = start; fiber; fiber = fiber.sibling) {
      const isInside = look(fiber.child);
      if (isInside) isDrawn = true;
      if (!guarded.has(fiber.stateNode as Guarded)) continue;
      const boundary = fiber.stateNode as Guarded;
      const before = drawnBy.get(boundary);
      // React copies the child of what it has drawn something in, and leaves it alone otherwise.
      const hasChanged = before !== undefined && before.child !== fiber.child;
      drawnBy.set(boundary, { child: fiber.child, times: (before?.times ?? 0) + (hasChanged ? 1 : 0) });
      if (!hasChanged) continue;
      isDrawn = true;
      if (!isInside) found.push(boundary);
    }
    return isDrawn;
  };
  look(top);
  return found;
}
