/**
 * What the server knows its user by. It comes in the fragment of the address, which the browser sends to nobody, and is
 * taken out of it at once. The tab keeps it, so that the page can be loaded again; it is worth nothing once the server has
 * ended.
 */
export function takeToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given !== null) sessionStorage.setItem("token", given);
  history.replaceState(null, "", location.pathname);
  return given ?? sessionStorage.getItem("token") ?? "";
}
