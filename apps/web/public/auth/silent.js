// Keycloak redirects the hidden frame of src/auth/keycloak.client.ts here. The page that created the frame
// reads the answer.
parent.postMessage(location.href, location.origin);
