<#macro emailLayout>
<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="supported-color-schemes" content="light dark">
  <title>${realmName!"Stoa"}</title>
  <#-- Mail programs without media queries show the light colours of the style attributes. -->
  <style>
    :root { color-scheme: light dark; supported-color-schemes: light dark; }
    a { color: #a8480f; overflow-wrap: anywhere; }
    .button { display: inline-block; padding: 12px 22px; border-radius: 999px; background: #a8480f; color: #fffaf3 !important; font-weight: 600; text-decoration: none; }
    @media (prefers-color-scheme: dark) {
      body, .paper { background: #13100d !important; }
      .card { background: #241f1a !important; border-color: #4d443a !important; color: #f4eee5 !important; }
      .brand { color: #f4eee5 !important; }
      .small { color: #b8ad9f !important; }
      .card a { color: #f29a5e; }
      .button { background: #f29a5e !important; color: #231204 !important; }
    }
  </style>
</head>
<body style="margin:0;background:#f7f2e9">
  <div class="paper" role="main" style="padding:32px 16px;background:#f7f2e9">
    <div style="max-width:520px;margin:0 auto;font:17px/1.6 Figtree,system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif">
      <h1 class="brand" style="margin:0 0 16px;color:#1d1813;font:600 26px/1.2 Fraunces,'Iowan Old Style','Palatino Linotype',Palatino,Georgia,serif">${realmName!"Stoa"}</h1>
      <div class="card" style="padding:28px;border:1px solid #d4c8b6;border-radius:16px;background:#fffefb;color:#1d1813">
        <#nested>
      </div>
      <p class="small" style="margin:16px 0 0;color:#645b51;font-size:14px">${msg("mailFooter")}</p>
    </div>
  </div>
</body>
</html>
</#macro>
