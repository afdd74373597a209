# Logs as servers write them, recognised by their content: Caddy and nginx in JSON, IIS, CloudFront.
. "$ROOT/tests/cli/common"
printf 'dustpan-rules 1\nhost any\ndrop ?sid\n' >any.rules
cat >caddy.log <<'EOF'
{"level":"info","ts":1646861401.5241024,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"127.0.0.1","remote_port":"41342","client_ip":"127.0.0.1","proto":"HTTP/2.0","method":"GET","host":"localhost","uri":"/a?sid=1","headers":{"User-Agent":["curl/7.82.0"],"Accept":["*/*"]},"tls":{"resumed":false,"version":772,"cipher_suite":4865,"proto":"h2","server_name":"example.com"}},"bytes_read": 0,"user_id":"","duration":0.000929675,"size":10900,"status":200,"resp_headers":{"Server":["Caddy"],"Content-Type":["text/html; charset=utf-8"]}}
EOF
cat >nginx.json <<'EOF'
{"time":"2026-11-16T12:00:00+00:00","remote_addr":"203.0.113.9","request":"GET /a?sid=1 HTTP/1.1","status":"200","body_bytes_sent":"5120","host":"shop.example","scheme":"https","http_user_agent":"curl/8"}
{"time_local":"16/Nov/2026:12:00:00 +0000","remote_addr":"203.0.113.9","request_method":"GET","request_uri":"/b","status":404,"body_bytes_sent":120,"host":"shop.example","http_referer":"-"}
EOF
cat >cf.log <<'EOF'
#Version: 1.0
#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken
2019-12-04	21:02:31	LAX1	392	192.0.2.100	GET	d111111abcdef8.cloudfront.net	/index.html	200	-	Mozilla/5.0%20(Windows%20NT%2010.0)	sid=1	-	Hit	SOX4xwn4==	shop.example	https	23	0.001
EOF
cat >iis.log <<'EOF'
#Software: Microsoft Internet Information Services 10.0
#Version: 1.0
#Date: 2022-01-02 00:00:00
#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-substatus sc-win32-status sc-bytes time-taken
2022-01-02 00:00:01 10.0.0.5 GET /default.aspx id=1 443 - 203.0.113.9 Mozilla/5.0 - 200 0 0 5120 15
EOF
for log in caddy.log nginx.json cf.log iis.log; do
    echo "== $log"
    dustpan apply -q --base-url https://iis.example -r any.rules $log | grep -o '"key".*\|http[^ 	]*$'
    dustpan learn --json --base-url https://iis.example $log 2>&1 >/dev/null | grep -o '"records": *[0-9]*\|"errors": *[0-9]*'
done
printf '{"request": 7}\n{"request": "POST /x HTTP/1.1", "host": "a.example", "status": 200}\n{"request": {"uri": "*"}}\n' >odd.json
t dustpan learn --format jsonl odd.json -o odd.rules

echo
echo "== Apache and nginx, a load balancer; by content, and by the name of the server"
cat >apache.log <<'EOF'
203.0.113.9 - frank [18/Nov/2026:10:00:00 +0000] "GET /a?sid=1 HTTP/1.1" 200 5120 "https://shop.example/" "Mozilla/5.0 (X11; Linux x86_64)"
2001:db8::9 - - [18/Nov/2026:10:00:01 +0000] "GET /b HTTP/1.1" 404 196 "-" "curl/8.4.0"
EOF
cat >common.log <<'EOF'
203.0.113.9 - - [18/Nov/2026:10:00:00 +0000] "GET /a?sid=1 HTTP/1.0" 200 5120
EOF
cat >alb.log <<'EOF'
https 2026-11-18T10:00:00.186641Z app/my-loadbalancer/50dc6c495c0c9188 192.0.2.5:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 5157 "GET https://www.example.com:443/a?sid=1 HTTP/1.1" "curl/7.46.0" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/my-targets/73e2d6bc24d8a067 "Root=1-58337281-1d84f3d73c47ec4e58577259" "www.example.com" "arn:aws:acm:us-east-2:123456789012:certificate/12345678-1234-1234-1234-123456789012" 1 2026-11-18T09:59:59.364000Z "authenticate,forward" "-" "-" "10.0.0.1:80" "200" "-" "-" TID_123456
http 2026-11-18T10:00:01.186641Z app/my-loadbalancer/50dc6c495c0c9188 [2001:db8::5]:2818 - -1 -1 -1 301 - 34 366 "GET http://www.example.com:80/b HTTP/1.1" "curl/7.46.0" - - - "Root=1-58337262-36d228ad5d99923122bbe354" "-" "-" 0 2026-11-18T10:00:00.364000Z "redirect" "https://www.example.com:443/b" "-" "-" "-" "-" "-"
http 2026-11-18T10:00:02.186641Z app/my-loadbalancer/50dc6c495c0c9188 192.0.2.5:2819 - -1 -1 -1 400 - 34 366 "- http://www.example.com:80- -" "-" - - - "-" "-" "-" 0 2026-11-18T10:00:00.364000Z "-" "-" "-" "-" "-" "-" "-"
EOF
for log in apache.log common.log alb.log; do
    echo "== $log"
    dustpan apply -q --base-url https://shop.example -r any.rules $log | grep -o 'http[^ 	]*$'
    dustpan learn --json --base-url https://shop.example $log 2>&1 >/dev/null | grep -o '"records": *[0-9]*\|"errors": *[0-9]*\|"redirects": *[0-9]*'
done
while read -r server log; do
    dustpan apply -q --log-format "$server" --base-url https://shop.example -r any.rules $log >/dev/null && echo "$server: $log"
done <<'EOF'
nginx apache.log
apache apache.log
apache-common common.log
iis iis.log
cloudfront cf.log
alb alb.log
caddy caddy.log
EOF
t dustpan learn -q --log-format alb apache.log

echo
echo "== requests for no page, a whole URL in a request, and lines that show nobody who has asked"
for _ in 1 2 3 4 5; do
    echo '203.0.113.9 - frank [18/Nov/2026:10:00:00 +0000] "GET /a?sid=1 HTTP/1.1" 200 5120 "-" "M"'
done >odd.log
cat >>odd.log <<'EOF'
203.0.113.9 - frank [18/Nov/2026:10:00:00 +0000] "OPTIONS * HTTP/1.0" 200 5120 "-" "M"
203.0.113.9 - frank [18/Nov/2026:10:00:00 +0000] "CONNECT a.com:443 HTTP/1.0" 405 5120 "-" "M"
203.0.113.9 - frank [18/Nov/2026:10:00:00 +0000] "\x16\x03\x01" 400 5120 "-" "M"
203.0.113.9 - frank [18/Nov/2026:10:00:00 +0000] "GET http://shop.example/b HTTP/1.0" 200 5120 "-" "M"
203.0.113.9 - frank [18/Nov/2026:10:00:00 +0000] "GET http://other.example/b HTTP/1.0" 200 5120 "-" "M"
203.0.113.9 - frank [frank] "GET /b HTTP/1.0" 200 5120 "-" "M"
EOF
t dustpan learn --base-url https://shop.example odd.log -o odd.rules
dustpan apply -q --base-url https://shop.example -r any.rules odd.log | sed 's/.*"M"//' | sort | uniq -c
printf 'shop.example|2001:db8:dead:beef::17|frank|GET /a\nshop.example|203.0.113.7|x|GET /b\n' >own.log
t dustpan apply -r any.rules own.log
t dustpan learn own.log
for base in https://shop.example/p?x shop.example; do
    t dustpan learn --base-url "$base" odd.log
done
t dustpan learn --log-format foo odd.log
t dustpan learn --log-format ngnix odd.log
for verb in eval audit; do
    t dustpan $verb -q -r any.rules --base-url https://shop.example common.log
done
t dustpan cluster -q --base-url https://shop.example common.log
sed 's/,"host":"shop.example"//' nginx.json >no_host.json
t dustpan report no_host.json -o report.html
