<#macro emailLayout>
<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="supported-color-schemes" content="light dark">
  <title>${realmName!"Stoa"}</title>
  <#-- Mail programs that know no media queries show the light colours of the style attributes. -->
  <style>
    :root { color-scheme: light dark; supported-color-schemes: light dark; }
    a { color: #b4441f; overflow-wrap: anywhere; }
    .button { display: inline-block; padding: 12px 22px; border-radius: 999px; background: #b4441f; color: #fffaf5 !important; font-weight: 600; text-decoration: none; }
    @media (prefers-color-scheme: dark) {
      body, .paper { background: #171412 !important; }
      .card { background: #211d1a !important; border-color: #3a332d !important; color: #f3ede4 !important; }
      .brand { color: #f3ede4 !important; }
      .small { color: #b3a99d !important; }
      .card a { color: #f0916b; }
      .button { background: #f0916b !important; color: #22120b !important; }
    }
  </style>
</head>
<body style="margin:0;background:#faf7f2">
  <div class="paper" role="main" style="padding:32px 16px;background:#faf7f2">
    <div style="max-width:520px;margin:0 auto;font:17px/1.6 ui-sans-serif,system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif">
      <h1 class="brand" style="margin:0 0 16px;color:#1c1917;font:600 26px/1.2 'Iowan Old Style','Palatino Linotype',Palatino,Georgia,serif">${realmName!"Stoa"}</h1>
      <div class="card" style="padding:28px;border:1px solid #e4dccf;border-radius:12px;background:#fffdfa;color:#1c1917">
        <#nested>
      </div>
      <p class="small" style="margin:16px 0 0;color:#6b635a;font-size:14px">${msg("mailFooter")}</p>
    </div>
  </div>
</body>
</html>
</#macro>
