import './log.css';

/** Formats JSON over several lines; text that is not valid JSON or was truncated is shown unchanged. */
export function JsonBlock({ json }: { readonly json: string | undefined }) {
  return json === undefined || json === '' ? null : <pre className="log-json">{prettyPrint(json)}</pre>;
}

function prettyPrint(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}
