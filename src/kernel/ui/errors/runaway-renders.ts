import type { Disposer } from '../../base/bus/bus.ts';

/** The hook through which React reports each commit to developer tools; `pre-paint.js` creates it before React starts, unless browser tools already have. */
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

/** A boundary that stops its content when the content renders endlessly. */
interface RunawayGuard {
  stopRunaway(error: RunawayRender): void;
}

/** Thrown for a component that triggers its own rendering each time it renders. React stops such a loop during rendering, but not one that goes through an effect. */
export class RunawayRender extends Error {
  override readonly name = 'RunawayRender';

  constructor() {
    super('The component renders endlessly: an effect sets a state that it depends on.');
  }
}

/** `span`: milliseconds over which commits are counted. Tests raise it for busy machines. */
export const runawayLimits = { span: 2000 };

/** Commits per span that are normal; above this number, frames are counted too. */
const normalCommits = 30;

/** Commits beyond `normalCommits`, and commits per frame, that only a loop causes: an animation renders once a frame, a loop as often as it can. */
const maxExcessCommits = 100;
const maxCommitsPerFrame = 2.5;

/** Number of commits that are inspected, once there are too many, to find the component that causes them. */
const inspectedCommits = 20;

const guarded = new Set<RunawayGuard>();
let spanStart = 0;
let commits = 0;
let frames = 0;
let frame: number | undefined;
let inspections = 0;
let undoHook: Disposer | undefined;
const rendersByBoundary = new Map<RunawayGuard, { child: Fiber | null; times: number }>();

/** Watches rendering inside this boundary until the returned function is called. */
export function watchRunaway(boundary: RunawayGuard): Disposer {
  guarded.add(boundary);
  undoHook ??= installHook();
  return () => {
    guarded.delete(boundary);
    rendersByBoundary.delete(boundary);
    if (guarded.size > 0) return;
    undoHook?.();
    undoHook = undefined;
    startSpan(0);
  };
}

function installHook(): Disposer | undefined {
  const { __REACT_DEVTOOLS_GLOBAL_HOOK__: tools } = globalThis as { __REACT_DEVTOOLS_GLOBAL_HOOK__?: CommitHook };
  if (!tools) return undefined;
  const { onCommitFiberRoot } = tools;
  tools.onCommitFiberRoot = (id, root, ...more) => {
    onCommitFiberRoot.call(tools, id, root, ...more);
    onCommit(root);
  };
  return () => {
    tools.onCommitFiberRoot = onCommitFiberRoot;
  };
}

function onCommit(root: Root): void {
  const now = performance.now();
  if (now - spanStart > runawayLimits.span) startSpan(now);
  commits++;
  if (commits === normalCommits) countFrames();
  const counted = commits - normalCommits;
  if (counted < maxExcessCommits || counted < frames * maxCommitsPerFrame || inspections > inspectedCommits) return;
  inspections++;
  for (const boundary of innermostRendered(root.current)) {
    // A boundary that has rendered only a few times is not in a loop.
    if ((rendersByBoundary.get(boundary)?.times ?? 0) > inspectedCommits / 2)
      queueMicrotask(() => guarded.has(boundary) && boundary.stopRunaway(new RunawayRender()));
  }
}

function startSpan(now: number): void {
  spanStart = now;
  commits = 0;
  frames = 0;
  inspections = 0;
  rendersByBoundary.clear();
  if (frame !== undefined) cancelAnimationFrame(frame);
  frame = undefined;
}

function countFrames(): void {
  frame = requestAnimationFrame(() => {
    frames++;
    if (performance.now() - spanStart < runawayLimits.span) countFrames();
    else frame = undefined;
  });
}

/** Returns the boundaries that rendered since the last inspection, without those that only contain another one. */
function innermostRendered(top: Fiber): RunawayGuard[] {
  const found: RunawayGuard[] = [];
  const visit = (start: Fiber | null): boolean => {
    let hasRendered = false;
    for (let fiber = start; fiber; fiber = fiber.sibling) {
      const hasRenderedInside = visit(fiber.child);
      if (hasRenderedInside) hasRendered = true;
      if (!guarded.has(fiber.stateNode as RunawayGuard)) continue;
      const boundary = fiber.stateNode as RunawayGuard;
      const before = rendersByBoundary.get(boundary);
      // React clones the child fiber of a node in which something rendered and leaves it alone otherwise.
      const hasChanged = before !== undefined && before.child !== fiber.child;
      rendersByBoundary.set(boundary, { child: fiber.child, times: (before?.times ?? 0) + (hasChanged ? 1 : 0) });
      if (!hasChanged) continue;
      hasRendered = true;
      if (!hasRenderedInside) found.push(boundary);
    }
    return hasRendered;
  };
  visit(top);
  return found;
}
