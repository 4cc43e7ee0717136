/**
 * Bundler loader that makes the canvas code of the chart library clear an element by `textContent`. The content security policy accepts `innerHTML` only from the
 * listed Trusted Types policies.
 */
export default function clearByTextContent(source) {
  return source.replaceAll(".innerHTML = ''", ".textContent = ''");
}
