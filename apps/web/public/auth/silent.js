// Keycloak sends the hidden frame of src/auth/keycloak.client.ts here; the page that made the frame reads the answer.
parent.postMessage(location.href, location.origin);
