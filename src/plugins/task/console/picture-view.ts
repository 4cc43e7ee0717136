/** Zoom, rotation and offset of a picture. */
export interface View {
  readonly zoom: number;
  /** Rotation in degrees. */
  readonly turn: number;
  readonly x: number;
  readonly y: number;
}

export const defaultView: View = { zoom: 1, turn: 0, x: 0, y: 0 };
export const minZoom = 0.2;
export const maxZoom = 8;
const zoomFactor = 1.4;

export const zoomIn = (view: View): View => ({ ...view, zoom: Math.min(maxZoom, view.zoom * zoomFactor) });
export const zoomOut = (view: View): View => ({ ...view, zoom: Math.max(minZoom, view.zoom / zoomFactor) });
export const rotateRight = (view: View): View => ({ ...view, turn: (view.turn + 90) % 360 });
