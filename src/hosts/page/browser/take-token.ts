/**
 * Take the access token from the fragment of the URL, which browsers do not send to servers, and remove it there. The
 * tab stores it so that the page can be reloaded; it is useless after the server has ended.
 */
export function takeToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given !== null) sessionStorage.setItem("token", given);
  history.replaceState(null, "", location.pathname);
  return given ?? sessionStorage.getItem("token") ?? "";
}
