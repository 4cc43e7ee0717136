import './log.css';

/** JSON over as many lines as it has values; text that is none, or was cut short, as it is. */
export function Laid({ json }: { readonly json: string | undefined }) {
  return json === undefined || json === '' ? null : <pre className="log-json">{laidOut(json)}</pre>;
}

function laidOut(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}
